//! A whole cluster on this machine: NATS servers, servers of Cat's Cradle, and a balancer in front of them.

mod balancer;
mod cluster_command;
mod cluster_faults;
mod nats_process;
mod server_cluster;

pub(crate) use cluster_command::ClusterCommand;
pub(crate) use cluster_faults::soak_cluster;
pub(crate) use server_cluster::ServerCluster;
