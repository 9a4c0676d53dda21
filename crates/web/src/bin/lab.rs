//! The lab, as the browser starts it: in a document, and in the worker beside it.
//!
//! Both are one program, so that a visitor loads the reader of texts once.

fn main() {
    if web::is_worker() {
        web::start_worker();
    } else {
        web::start_lab();
    }
}
