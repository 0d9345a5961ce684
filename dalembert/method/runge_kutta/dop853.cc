// dop853: the method of order 8 of Dormand and Prince with the error estimate of orders 5 and 3 and the dense
// output of order 7 by Hairer [HairerNorsettWanner1993, II.5, II.6 and II.10, code DOP853].
#include <cmath>

#include "dalembert/method/runge_kutta/explicit_runge_kutta.h"

namespace dalembert {

namespace {

/// The embedded weights are those of order 3.
constexpr const char* picture = R"(
    0           |
    4/45-2/135r | 0.0526001519587677318785587544488
    2/15-1/45r  | 0.0197250569845378994544595329183 0.0591751709536136983633785987549
    1/5-1/30r   | 0.0295875854768068491816892993775 0                                 0.0887627564304205475450678981324
    1/5+1/30r   | 0.241365134159266685502369798665  0                                 -0.884549479328286085344864962717 0.924834003261792003115737966543
    1/3         | 0.037037037037037037037037037037  0                                 0                                 0.170828608729473871279604482173 0.125467687566822425016691814123
    1/4         | 0.037109375                       0                                 0                                 0.170252211019544039314978060272 0.0602165389804559606850219397283 -0.017578125
    4/13        | 0.0370920001185047927108779319836 0                                 0                                 0.170383925712239993810214054705 0.107262030446373284651809199168  -0.0153194377486244017527936158236 0.00827378916381402288758473766002
    127/195     | 0.624110958716075717114429577812  0                                 0                                 -3.36089262944694129406857109825 -0.868219346841726006818189891453 27.5920996994467083049415600797    20.1540675504778934086186788979    -43.4898841810699588477366255144
    3/5         | 0.477662536438264365890433908527  0                                 0                                 -2.48811461997166764192642586468 -0.590290826836842996371446475743 21.2300514481811942347288949897    15.2792336328824235832596922938    -33.2882109689848629194453265587 -0.0203312017085086261358222928593
    6/7         | -0.93714243008598732571704021658  0                                 0                                 5.18637242884406370830023853209  1.09143734899672957818500254654   -8.14978701074692612513997267357   -18.5200656599969598641566180701   22.7394870993505042818970056734  2.49360555267965238987089396762    -3.0467644718982195003823669022
    1           | 2.27331014751653820792359768449   0                                 0                                 -10.5344954667372501984066689879 -2.00087205822486249909675718444  -17.9589318631187989172765950534   27.9488845294199600508499808837    -2.85899827713502369474065508674 -8.87285693353062954433549289258   12.3605671757943030647266201528   0.643392746015763530355970484046
    ------------+------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
                | 0.0542937341165687622380535766363 0                                 0                                 0                                0                                 4.45031289275240888144113950566    1.89151789931450038304281599044    -5.8012039600105847814672114227  0.31116436695781989440891606237    -0.152160949662516078556178806805 0.201365400804030348374776537501 0.0447106157277725905176885569043
                | 31/127                            0                                 0                                 0                                0                                 0                                  0                                  0                                12675/17272                        0                                 0                                3/136
)";

constexpr Eigen::Index stages = 12, all_stages = 16;  // with f(y1) and the three stages of the dense output

/// The weights minus those of order 5.
constexpr double fifth[stages] = {0.01312004499419488073250102996,
                                  0,
                                  0,
                                  0,
                                  0,
                                  -1.225156446376204440720569753,
                                  -0.4957589496572501915214079952,
                                  1.664377182454986536961530415,
                                  -0.350328848749973681688648729,
                                  0.3341791187130174790297318841,
                                  0.08192320648511571246570742613,
                                  -0.02235530786388629525884427845};

/// Stages 14 to 16; stage 13 is f(y1).
constexpr double extra_nodes[3] = {1.0 / 10, 1.0 / 5, 7.0 / 9};
constexpr double extra[3][all_stages] = {
    {0.0561675022830479523392909219681, 0, 0, 0, 0, 0, 0.253500210216624811088794765333,
     -0.246239037470802489917441475441, -0.124191423263816360469010140626, 0.15329179827876569731206322685,
     0.00820105229563468988491666602057, 0.00756789766054569976138603589584, -0.008298},
    {0.0318346481635021405060768473261, 0, 0, 0, 0, 0.0283009096723667755288322961402,
     0.0535419883074385676223797384372, -0.0549237485713909884646569340306, 0, 0,
     -0.000108347328697249322858509316994, 0.000382571090835658412954920192323,
     -0.000340465008687404560802977114492, 0.141312443674632500278074618366},
    {-0.428896301583791923408573538692, 0, 0, 0, 0, -4.69762141536116384314449447206,
     7.68342119606259904184240953878, 4.06898981839711007970213554331, 0.356727187455281109270669543021, 0, 0,
     0, -0.00139902416515901462129418009734, 2.9475147891527723389556272149,
     -9.15095847217987001081870187138}};

/// c4 to c7 of the dense output, from all stages.
constexpr double correction[4][all_stages] = {
    {-8.4289382761090128651353491142, 0, 0, 0, 0, 0.5667149535193777696253178359,
     -3.0689499459498916912797304727, 2.384667656512069828772814968, 2.1170345824450282767155149946,
     -0.8713915837779729920678990749, 2.240437430260788275854177165, 0.6315787787694688181557024929,
     -0.0889903364513333108206981174, 18.148505520854727256656404962, -9.1946323924783554000451984436,
     -4.4360363875948939664310572},
    {10.427508642579134603413151009, 0, 0, 0, 0, 242.28349177525818288430175319,
     165.20045171727028198505394887, -374.54675472269020279518312152, -22.113666853125306036270938578,
     7.7334326684722638389603898808, -30.674084731089398182061213626, -9.3321305264302278729567221706,
     15.697238121770843886131091075, -31.139403219565177677282850411, -9.3529243588444783865713862664,
     35.81684148639408375246589854},
    {19.985053242002433820987653617, 0, 0, 0, 0, -387.03730874935176555105901742,
     -189.17813819516756882830838328, 527.80815920542364900561016686, -11.573902539959630126141871134,
     6.8812326946963000169666922661, -1.000605096691083840318386098, 0.7777137798053443209286926574,
     -2.7782057523535084065932004339, -60.196695231264120758267380846, 84.320405506677161018159903784,
     11.99229113618278932803513003},
    {-25.693933462703749003312586129, 0, 0, 0, 0, -154.18974869023643374053993627,
     -231.52937917604549567536039109, 357.6391179106141237828534991, 93.405324183624310003907691704,
     -37.458323136451633156875139351, 104.09964950896230045147246184, 29.840293426660503123344363579,
     -43.533456590011143754432175058, 96.3245539591882829483949506, -39.177261675615439165231486172,
     -149.72683625798562581422125276}};

template <std::size_t n>
Row row(const double (&coefficients)[n]) {
  return Row(Eigen::Map<const Vector>(coefficients, static_cast<Eigen::Index>(n)));
}
template <std::size_t m, std::size_t n>
std::vector<Row> rows(const double (&coefficients)[m][n]) {
  std::vector<Row> all;
  for (const auto& each : coefficients) all.push_back(row(each));
  return all;
}
/// What the tableau does not say, made once.
struct Further {
  Row error = row(fifth);
  std::vector<Row> stages = rows(extra), output = rows(correction);
};
const Further& further() {
  static const Further all;
  return all;
}

/// u(theta) = y0 + theta (c1 + rest (c2 + theta (c3 + rest (c4 + theta (c5 + rest (c6 + theta c7)))))), rest
/// = 1-theta
class Dop853 final : public ExplicitRungeKutta {
 public:
  Dop853() : ExplicitRungeKutta("dop853", Tableau::of(picture), 1.0 / 8, Strictness{0.2}) {}

  void bind(const Problem& problem, const Setting& setting) override {
    ExplicitRungeKutta::bind(problem, setting);
    caution_ = 4 * std::pow(std::max(tolerance_.relative, tolerance_.absolute), 0.25);
  }

 protected:
  void make_room(Eigen::Index n) override {
    K_ = Matrix::Zero(n, all_stages);
    point_ = Vector::Zero(n);
    c_ = Matrix::Zero(n, 7);
  }
  /// |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2) = O(h^8), as e5 = O(h^6) and e3 = O(h^4)  [HairerNorsettWanner1993,
  /// II.10]. Where the two hardly differ it is far too small: a few such steps spoil a run, so e5 itself counts too, as far as
  /// a method of order 8 does better than one of order 5: 4 tol^(1/4) |e5|.
  double estimate(double h, double& exponent) override {
    const double e3 = ExplicitRungeKutta::estimate(h, exponent);
    difference_.setZero();
    further_.error.add(h, K_, difference_);
    const double e5 = tolerance_.norm(difference_, y0_, y1_);
    const double both = std::hypot(e5, 0.1 * e3);
    if (both == 0 || !std::isfinite(both)) return both;
    const double fine = e5 * (e5 / both), coarse = caution_ * e5;
    if (coarse > fine) exponent = 1.0 / 6;
    return std::max(fine, coarse);
  }

  void prepare_dense(double h) override {
    K_.col(stages) = end_slope();
    for (Eigen::Index i = 0; i < 3; ++i) {
      further_.stages[static_cast<std::size_t>(i)].combine(y0_, h, K_, point_);
      evaluate(t0_ + extra_nodes[i] * h, point_, K_.col(stages + 1 + i));
    }
    c_.col(0) = y1_ - y0_;
    c_.col(1) = h * K_.col(0) - c_.col(0);
    c_.col(2) = c_.col(0) - h * K_.col(stages) - c_.col(1);
    c_.rightCols(4).setZero();
    for (Eigen::Index i = 0; i < 4; ++i)
      further_.output[static_cast<std::size_t>(i)].add(h, K_, c_.col(3 + i));
  }
  void dense(double theta, Out y) const override { alternating(theta, y0_, c_, y); }
  void dense(double theta, Out y, Out dy) const override { alternating(theta, y0_, c_, y, dy); }

 private:
  double caution_ = 0;
  const Further& further_ = further();
  Vector point_;
  Matrix c_;
};

}  // namespace

std::vector<MethodEntry> methods_in_dop853() {
  return {{.name = "dop853",
           .summary = "Dormand-Prince method of order 8 with an estimate 5(3)",
           .cite = "HairerNorsettWanner1993",
           .claims = {{Kind::ode, "y", 8}},
           .adaptive = true,
           .dense_order = 7,
           .options = {},
           .make = [] { return std::make_unique<Dop853>(); },
           .tableau = picture,
           // at loose tolerances, too, it takes hardly more evaluations than dopri5 and is far more accurate
           .preferences = {{.kind = Kind::ode, .weight = 101}}}};
}

}  // namespace dalembert
