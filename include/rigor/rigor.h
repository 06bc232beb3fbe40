// Everything a user of the library needs.
#pragma once

#include "rigor/algorithms.h"
#include "rigor/batch.h"
#include "rigor/contact_problem.h"
#include "rigor/error.h"
#include "rigor/io.h"
#include "rigor/joint.h"
#include "rigor/model.h"
#include "rigor/recording.h"
#include "rigor/report.h"
#include "rigor/run_summary.h"
#include "rigor/scene.h"
#include "rigor/shape.h"
#include "rigor/simulator.h"
#include "rigor/solver.h"
#include "rigor/state.h"
