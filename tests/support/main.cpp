#define BOOST_TEST_MODULE normdyn
#include <boost/test/unit_test.hpp>
