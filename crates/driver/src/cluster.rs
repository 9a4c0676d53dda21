//! A whole cluster on this machine: NATS servers, servers of Cat's Cradle, and a balancer in front of them.

mod balancer;
mod cluster_command;
mod cluster_faults;
mod haproxy;
mod nats_process;
mod newer_entry;
mod server_cluster;
mod upgrade;

pub(crate) use cluster_command::ClusterCommand;
pub(crate) use cluster_faults::{ClusterPrograms, soak_cluster};
pub(crate) use server_cluster::{NatsRoute, ServerCluster};
