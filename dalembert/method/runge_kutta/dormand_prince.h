// The tableau of Dormand and Prince 5(4), shared by dopri5 and the half-explicit methods built on it.
#pragma once

namespace dalembert {

inline constexpr const char* dormand_prince = R"(
    0    |
    1/5  | 1/5
    3/10 | 3/40       9/40
    4/5  | 44/45      -56/15      32/9
    8/9  | 19372/6561 -25360/2187 64448/6561 -212/729
    1    | 9017/3168  -355/33     46732/5247 49/176  -5103/18656
    1    | 35/384     0           500/1113   125/192 -2187/6784    11/84
    -----+---------------------------------------------------------------------
         | 35/384     0           500/1113   125/192 -2187/6784    11/84    0
         | 5179/57600 0           7571/16695 393/640 -92097/339200 187/2100 1/40
)";

}  // namespace dalembert
