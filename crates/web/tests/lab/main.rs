//! The lab without a browser.

mod driver;
mod friend;
mod learning;
mod playing;
mod proving;
mod writing;
