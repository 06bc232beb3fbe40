// rigor reproduce: the papers' experiments, with what the papers say beside what is found.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "commands.h"
#include "experiments/experiment.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "report_page.h"
#include "rigor/run_summary.h"
#include "scene_folder.h"

namespace rigor::app {
namespace {

using experiments::Experiment;

std::vector<const Experiment*> chooseExperiments(const ReproduceArguments& arguments) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : arguments.names)
    for (const Experiment* experiment : experiments::findExperiments(name)) {
      if (experiment->needs_data && arguments.data.empty())
        throw Error(fmt::format("{} compares with measurements and was not told where they are", experiment->name),
                    fmt::format("rigor reproduce {} --data DIR", experiment->name));
      chosen.push_back(experiment);
    }
  if (arguments.all)
    for (const Experiment& experiment : experiments::listExperiments())
      if (!experiment.needs_data || !arguments.data.empty()) chosen.push_back(&experiment);
  return chosen;
}

/// What is asked of one experiment: a quick look at runs whose length the user may choose is a hundredth of them.
experiments::Request requestOf(const experiments::Request& common, const Experiment& experiment) {
  experiments::Request request = common;
  if (request.quick && request.steps == 0) request.steps = experiment.run_steps / 100;
  return request;
}

/// Steps of an experiment in all, for its progress bar.
std::int64_t countSteps(const Experiment& experiment, const experiments::Request& request) {
  if (request.steps > 0 && experiment.run_steps > 0) return experiment.steps / experiment.run_steps * request.steps;
  return request.quick && experiment.quick_steps > 0 ? experiment.quick_steps : experiment.steps;
}

std::string describe(const DoneExperiment& done, const std::string& folder) {
  const auto& [experiment, outcome, seconds] = done;
  std::string text = fmt::format("{}: {} ({})\n", experiment->name, experiment->title, experiment->paper);
  for (const std::string& line : outcome.setting) text += "  " + line + "\n";
  text += tableText(outcome.table);
  for (const experiments::Figure& figure : outcome.figures)
    text += fmt::format("  {}: paper {:.4g}, rigor {:.4g}\n", figure.what, figure.paper, figure.ours);
  for (const experiments::Finding& finding : outcome.findings)
    text += fmt::format("  paper  {}\n  ours   {}{}\n", finding.paper, finding.ours,
                        !finding.holds   ? "  (not shown)"
                        : *finding.holds ? "  (holds)"
                                         : "  (DIFFERS from the paper)");
  for (const std::string& file : outcome.files)
    text += fmt::format("  written: {}\n", (std::filesystem::path(folder) / file).string());
  return text + fmt::format("  verdict: {}, {}\n", verdictName(outcome.verdict()), durationText(seconds));
}

void savePage(const ReproduceArguments& arguments, const std::vector<DoneExperiment>& done) {
  std::vector<ReportSection> sections;
  for (const auto& [experiment, outcome, seconds] : done)
    sections.push_back({fmt::format("{}: {} ({})", experiment->name, experiment->title, experiment->paper), &outcome});
  const std::string note = arguments.quick ? "A quick look (--quick): fewer and shorter runs than the papers' where an "
                                             "experiment has a shorter form. Its numbers are not those of the full one."
                           : arguments.steps ? fmt::format(
                                                   "Runs of {} steps (--steps) where they may be shortened: "
                                                   "shorter or longer than the papers'.",
                                                   *arguments.steps)
                                             : std::string();
  saveReport("Experiments of the papers, repeated by rigor", note, arguments.out, sections);
}

/// --steps is for experiments whose runs may be shorter; the others say that theirs are not.
void checkSteps(std::int64_t steps, const std::vector<const Experiment*>& chosen) {
  if (steps < 1) throw Error(fmt::format("--steps {}: not a number of steps", steps), "Give 1 or more.");
  std::string fixed;
  bool some = false;
  for (const Experiment* experiment : chosen) {
    some = some || experiment->run_steps > 0;
    if (experiment->run_steps == 0) fixed += fmt::format("{}{}", fixed.empty() ? "" : ", ", experiment->name);
  }
  if (!some)
    throw Error(fmt::format("--steps {}: the length of {} cannot be chosen", steps, fixed), "Leave --steps out.");
  if (!fixed.empty()) tell(fmt::format("--steps {} is not for {}: done in full", steps, fixed));
}

/// What was done before the user stopped it.
std::string tellStop(const std::vector<DoneExperiment>& done, const Experiment& stopped, std::size_t chosen,
                     const std::string& folder) {
  std::string text = fmt::format("interrupted by the user in {}", stopped.name);
  if (chosen == 1) return text + "; nothing of it is kept";
  if (done.empty()) return text + ", the first; nothing is kept";
  text += fmt::format("; done before that, and in {}:", folder);
  for (const DoneExperiment& one : done) text += fmt::format(" {}", one.experiment->name);
  return text;
}

int listAll(bool json) {
  if (json) {
    writeResult(experimentListJson(experiments::listExperiments()));
    return kDone;
  }
  std::vector<std::vector<std::string>> rows = {{"name", "paper", "what"}};
  for (const Experiment& experiment : experiments::listExperiments())
    rows.push_back({std::string(experiment.name), std::string(experiment.paper), std::string(experiment.title)});
  writeResult(formatTable(rows));
  return kDone;
}

}  // namespace

int execute(const ReproduceArguments& arguments) {
  if (arguments.list) return listAll(arguments.json);
  const std::vector<const Experiment*> chosen = chooseExperiments(arguments);
  if (arguments.steps) checkSteps(*arguments.steps, chosen);
  makeReportFolder(arguments.out);

  const InterruptFlag interrupt;
  const experiments::Request common{arguments.out,         arguments.data, sceneFolder(), arguments.steps.value_or(0),
                                    InterruptFlag::flag(), arguments.quick};
  std::vector<DoneExperiment> done;
  bool good = true, stopped = false;
  for (const Experiment* experiment : chosen) {
    try {
      const experiments::Request request = requestOf(common, *experiment);
      Progress progress(countSteps(*experiment, request));
      const auto start = std::chrono::steady_clock::now();
      done.push_back({experiment, experiment->run(request, [&](std::int64_t steps) {
                        progress.show(steps);
                        return !interrupt.raised();
                      })});
      done.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    } catch (const experiments::Stopped&) {
      tell(tellStop(done, *experiment, chosen.size(), arguments.out));
      stopped = true;
      break;
    } catch (const experiments::DataError&) {
      throw;
    } catch (const Error& error) {  // apart from data they bring their own input: a refused step or a full disk
      throw WriteError(error.where(), error.problem(), error.remedy());
    }
    good = good && done.back().outcome.verdict() != experiments::Verdict::kFailed;
    if (!arguments.json) writeResult(describe(done.back(), arguments.out));
  }
  if (!done.empty()) savePage(arguments, done);
  if (arguments.json) writeResult(reproduceJson(arguments.out, done));
  if (stopped) return kInterrupted;
  return good ? kDone : kFailed;
}

}  // namespace rigor::app
