//! The page, as the browser starts it.

fn main() {
    web::start();
}
