// boost -- serialised objects through Boost.MPI: ring, collectives with
// user types and a non-commutative operation, probes, request sets.
#include <boost/mpi.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace mpi = boost::mpi;

struct point {
	int x;
	double y;
	template <class A> void serialize(A &a, unsigned) { a & x & y; }
};
BOOST_IS_MPI_DATATYPE(point)

static std::string word(int i) { return std::string(i + 1, char('a' + i)); }

int main(int argc, char **argv)
{
	mpi::environment env(argc, argv);
	mpi::communicator world;
	int me = world.rank(), n = world.size();
	std::map<std::string, std::vector<int>> book{{word(me), {me, me * me}}};

	// Serialised ring: every rank adds what it got to its own book.
	std::map<std::string, std::vector<int>> got;
	mpi::request out = world.isend((me + 1) % n, 1, book);
	world.recv((me + n - 1) % n, 1, got);
	out.wait();

	std::string all;
	mpi::all_reduce(world, word(me) + got.begin()->first, all, std::plus<std::string>());
	std::vector<std::string> parts;
	mpi::gather(world, got.begin()->first, parts, 0);
	point p{me, me / 2.0};
	std::vector<point> points;
	mpi::all_gather(world, p, points);
	int prefix = mpi::scan(world, me + 1, std::multiplies<int>());

	// Rank 0 hears from everybody in any order.
	std::map<int, std::string> heard;
	if (me == 0) {
		for (int i = 1; i < n; i++) {
			mpi::status st = world.probe(mpi::any_source, 7);
			std::string s;
			world.recv(st.source(), 7, s);
			heard[st.source()] = s;
		}
	} else {
		world.send(0, 7, word(me) + "!");
	}

	// Many requests at once, all sizes.
	std::vector<std::vector<double>> in(n), sent(n);
	std::vector<mpi::request> reqs;
	for (int i = 0; i < n; i++) {
		reqs.push_back(world.irecv(i, 9, in[i]));
		sent[i].assign(1000 * me + i, me);
		reqs.push_back(world.isend(i, 9, sent[i]));
	}
	mpi::wait_all(reqs.begin(), reqs.end());
	size_t total = 0;
	for (auto &v : in)
		total += v.size();

	mpi::communicator half = world.split(me % 2, -me);
	std::vector<int> order;
	mpi::gather(half, me, order, 0);

	for (int turn = 0; turn < n; turn++) {
		if (turn == me) {
			std::cout << me << ": " << all << " prefix " << prefix << " total " << total;
			for (auto &q : points)
				std::cout << " (" << q.x << "," << q.y << ")";
			for (auto &s : parts)
				std::cout << " " << s;
			for (auto &h : heard)
				std::cout << " " << h.first << h.second;
			for (int r : order)
				std::cout << " <" << r;
			std::cout << std::endl;
		}
		world.barrier();
	}
}
