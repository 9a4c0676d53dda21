//! The lab without a browser.

mod driver;
mod learning;
mod playing;
mod proving;
mod writing;
