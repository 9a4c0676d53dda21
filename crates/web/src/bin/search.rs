//! The worker of the page: the searches of all games, which the page itself does not contain.

fn main() {
    web::start_search_worker();
}
