//! The whole page, as the browser starts it.

fn main() {
    web::start();
}
