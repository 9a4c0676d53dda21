//! Speed of reading and building texts.

fn main() {
    divan::main();
}
