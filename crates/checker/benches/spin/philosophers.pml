/* The dining philosophers of crates/bthread/examples/dining_philosophers, for Spin: the same states
   and the same steps between them. */

#ifndef SEATS
#define SEATS 10
#endif

#define RIGHT _pid
#define LEFT ((_pid + SEATS - 1) % SEATS)

bit taken[SEATS];

active [SEATS] proctype Philosopher()
{
	do
	:: atomic { !taken[RIGHT] -> taken[RIGHT] = 1 };
	   atomic { !taken[LEFT] -> taken[LEFT] = 1 };
	   taken[LEFT] = 0;
	   taken[RIGHT] = 0
	od
}
