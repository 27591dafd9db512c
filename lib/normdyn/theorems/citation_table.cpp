#include "normdyn/theorems/citations.hpp"

namespace normdyn::theorems {
namespace {

std::vector<Citation> of_theory() {
  return {{.key = "normalization-attention",
           .type = "misc",
           .authors = {"Nikita Karagodin", "Shu Ge", "Yury Polyanskiy", "Philippe Rigollet"},
           .title = "Normalization in Attention Dynamics",
           .year = 2025,
           .arxiv = "2510.22026"},
          {.key = "mathematical-perspective",
           .type = "misc",
           .authors = {"Borjan Geshkovski", "Cyril Letrouit", "Yury Polyanskiy", "Philippe Rigollet"},
           .title = "A mathematical perspective on Transformers",
           .year = 2023,
           .arxiv = "2312.10794"},
          {.key = "causal-clustering",
           .type = "misc",
           .authors = {"Nikita Karagodin", "Yury Polyanskiy", "Philippe Rigollet"},
           .title = "Clustering in Causal Attention Masking",
           .year = 2024,
           .arxiv = "2411.04990"},
          {.key = "metastability",
           .type = "misc",
           .authors = {"Borjan Geshkovski", "Hugo Koubbi", "Yury Polyanskiy", "Philippe Rigollet"},
           .title = "Dynamic metastability in the self-attention model",
           .year = 2024,
           .arxiv = "2410.06833"}};
}

std::vector<Citation> of_schemes() {
  return {{.key = "pre-post-ln",
           .type = "misc",
           .authors = {"Ruibin Xiong", "Yunchang Yang", "Di He", "Kai Zheng", "Shuxin Zheng", "Chen Xing",
                       "Huishuai Zhang", "Yanyan Lan", "Liwei Wang", "Tie-Yan Liu"},
           .title = "On Layer Normalization in the Transformer Architecture",
           .year = 2020,
           .arxiv = "2002.04745"},
          {.key = "mix-ln",
           .type = "misc",
           .authors = {"Pengxiang Li", "Lu Yin", "Shiwei Liu"},
           .title = "Mix-LN: Unleashing the Power of Deeper Layers by Combining Pre-LN and Post-LN",
           .year = 2024,
           .arxiv = "2412.13795"},
          {.key = "peri-ln",
           .type = "misc",
           .authors = {"Jeonghoon Kim", "Byeongchan Lee", "Cheonbok Park", "Yeontaek Oh", "Beomjun Kim", "Taehwan Yoo",
                       "Seongjin Shin", "Dongyoon Han", "Jinwoo Shin", "Kang Min Yoo"},
           .title = "Peri-LN: Revisiting Normalization Layer in the Transformer Architecture",
           .year = 2025,
           .arxiv = "2502.02732"},
          {.key = "ngpt",
           .type = "misc",
           .authors = {"Ilya Loshchilov", "Cheng-Ping Hsieh", "Simeng Sun", "Boris Ginsburg"},
           .title = "nGPT: Normalized Transformer with Representation Learning on the Hypersphere",
           .year = 2024,
           .arxiv = "2410.01131"},
          {.key = "layernorm-scaling",
           .type = "misc",
           .authors = {"Wenfang Sun", "Xinyuan Song", "Pengxiang Li", "Lu Yin", "Yefeng Zheng", "Shiwei Liu"},
           .title = "The Curse of Depth in Large Language Models",
           .year = 2025,
           .arxiv = "2502.05795"}};
}

std::vector<Citation> of_methods() {
  return {{.key = "dormand-prince",
           .type = "article",
           .authors = {"J. R. Dormand", "P. J. Prince"},
           .title = "A family of embedded Runge-Kutta formulae",
           .where = "Journal of Computational and Applied Mathematics 6, 19-26",
           .fields = {{"journal", "Journal of Computational and Applied Mathematics"},
                      {"volume", "6"},
                      {"number", "1"},
                      {"pages", "19--26"}},
           .year = 1980},
          {.key = "hairer-norsett-wanner",
           .type = "book",
           .authors = {"Ernst Hairer", "Syvert P. Nørsett", "Gerhard Wanner"},
           .title = "Solving Ordinary Differential Equations I: Nonstiff Problems",
           .where = "Second edition, Springer",
           .fields = {{"edition", "second"}, {"publisher", "Springer"}},
           .year = 1993},
          {.key = "cash-karp",
           .type = "article",
           .authors = {"J. R. Cash", "Alan H. Karp"},
           .title = "A variable order Runge-Kutta method for initial value problems with rapidly varying "
                    "right-hand sides",
           .where = "ACM Transactions on Mathematical Software 16, 201-222",
           .fields = {{"journal", "ACM Transactions on Mathematical Software"},
                      {"volume", "16"},
                      {"number", "3"},
                      {"pages", "201--222"}},
           .year = 1990},
          {.key = "fehlberg",
           .type = "techreport",
           .authors = {"Erwin Fehlberg"},
           .title = "Classical fifth-, sixth-, seventh-, and eighth-order Runge-Kutta formulas with stepsize control",
           .where = "NASA Technical Report R-287",
           .fields = {{"institution", "NASA"}, {"number", "TR R-287"}},
           .year = 1968},
          {.key = "bulirsch-stoer",
           .type = "article",
           .authors = {"Roland Bulirsch", "Josef Stoer"},
           .title = "Numerical treatment of ordinary differential equations by extrapolation methods",
           .where = "Numerische Mathematik 8, 1-13",
           .fields = {{"journal", "Numerische Mathematik"}, {"volume", "8"}, {"pages", "1--13"}},
           .year = 1966}};
}

std::vector<Citation> of_libraries() {
  return {{.key = "odeint",
           .type = "inproceedings",
           .authors = {"Karsten Ahnert", "Mario Mulansky"},
           .title = "Odeint - Solving Ordinary Differential Equations in C++",
           .where = "AIP Conference Proceedings 1389, 1586-1589",
           .fields = {{"booktitle", "AIP Conference Proceedings"}, {"volume", "1389"}, {"pages", "1586--1589"}},
           .year = 2011,
           .arxiv = "1110.3397"},
          {.key = "eigen",
           .type = "misc",
           .authors = {"Gaël Guennebaud", "Benoît Jacob", "others"},
           .title = "Eigen v3",
           .where = "https://eigen.tuxfamily.org",
           .fields = {{"howpublished", "https://eigen.tuxfamily.org"}},
           .year = 2010},
          {.key = "hdf5",
           .type = "misc",
           .authors = {"{The HDF Group}"},
           .title = "Hierarchical Data Format, version 5",
           .where = "https://www.hdfgroup.org/HDF5/",
           .fields = {{"howpublished", "https://www.hdfgroup.org/HDF5/"}}},
          {.key = "random123",
           .type = "inproceedings",
           .authors = {"John K. Salmon", "Mark A. Moraes", "Ron O. Dror", "David E. Shaw"},
           .title = "Parallel random numbers: as easy as 1, 2, 3",
           .where = "Proceedings of SC11",
           .fields = {{"booktitle", "Proceedings of the 2011 International Conference for High Performance Computing, "
                                    "Networking, Storage and Analysis (SC11)"}},
           .year = 2011}};
}

} // namespace

const std::vector<Citation>& all_citations() {
  static const std::vector<Citation> all = [] {
    std::vector<Citation> joined;
    for (const auto& part : {of_theory(), of_schemes(), of_methods(), of_libraries()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

} // namespace normdyn::theorems
