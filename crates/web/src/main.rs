//! The part of the page that most visitors see first, as the browser starts it.

fn main() {
    web::start_first();
}
