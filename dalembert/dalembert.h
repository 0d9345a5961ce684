// The front door: one include for users of the library.
//
//   problems        from functions (ode, hessenberg, with inner unknowns too, implicit, mechanical), as classes, partitioned
//   mechanisms      PlanarMechanism, SpatialMechanism, forces along measures, and what a joint transmits
//   models          Model::from_file, Model::from_text, run_model, examine
//   runs            solve, run, Solver, RunOptions, Summary, and which pairs of formulation and method there are
//   certainty       certify: the digits on which different pairs agree; run_accurately: an error, not a tolerance; measure_growth
//   observers       Trajectory, Monitor, FileWriter (.csv, .h5, .npz, .mat), Progress, RunRecorder; report, plot
//   pages           page: a run as one file for the browser
//
// The catalogue of reference problems is a library of its own: dalembert/problem/catalogue.h. Motions with conditions at both ends
// are in dalembert/boundary/solve_boundary.h.
#pragma once

#include "dalembert/control/pairs.h"
#include "dalembert/control/run.h"
#include "dalembert/control/solver.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/model/model_findings.h"
#include "dalembert/model/model_run.h"
#include "dalembert/multibody/forces/cylinder.h"
#include "dalembert/multibody/forces/force_law.h"
#include "dalembert/multibody/forces/friction.h"
#include "dalembert/multibody/forces/motor.h"
#include "dalembert/multibody/forces/spring.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/reactions.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/accuracy/accurate_run.h"
#include "dalembert/observe/accuracy/growth.h"
#include "dalembert/observe/certify/certify.h"
#include "dalembert/observe/files/run_file.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/plot.h"
#include "dalembert/observe/progress.h"
#include "dalembert/observe/report.h"
#include "dalembert/observe/run_record.h"
#include "dalembert/observe/solve.h"
#include "dalembert/observe/trajectory.h"
#include "dalembert/page/page.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/from_functions.h"
#include "dalembert/problem/inner_unknowns.h"
#include "dalembert/problem/partitioned.h"

/// Constrained dynamics: problems, formulations that rewrite them, methods that step through them, and those who watch.
namespace dalembert {}
