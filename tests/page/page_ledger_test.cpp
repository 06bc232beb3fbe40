#include "io/page/ledger.h"

#include <gtest/gtest.h>

#include "io/page/data.h"
#include "io/page/text.h"
#include "page/made_up_runs.h"

namespace rigor {
namespace {

TEST(PageLedger, LeavesOutAccountsThatDidNothing) {
  const EnergyLedger ledger = makeUpLedger();
  const std::string text = makePageLedger(&ledger);
  std::vector<std::string> names;
  for (std::size_t at = text.find("\"name\":\""); at != std::string::npos; at = text.find("\"name\":\"", at + 1))
    names.push_back(text.substr(at + 8, text.find('"', at + 8) - at - 8));
  EXPECT_EQ(names, (std::vector<std::string>{"drives", "friction", "impacts", "integrator"}));
}

TEST(PageLedger, KeepsTheFirstAndTheLastNodeOfALongRun) {
  const EnergyLedger ledger = makeUpLedger();
  const std::string text = makePageLedger(&ledger);
  std::vector<double> time, energy;  // of 4001 nodes 2000, at equal steps rounded down
  for (int i = 0; i < 2000; ++i) time.push_back(ledger.time[i * 4000 / 1999]);
  for (int i = 0; i < 2000; ++i) energy.push_back(ledger.energy[i * 4000 / 1999]);
  EXPECT_EQ(time.back(), 2.0);
  EXPECT_NE(text.find("\"time\":" + arrayForPage(time)), std::string::npos);
  EXPECT_NE(text.find("\"energy\":" + arrayForPage(energy)), std::string::npos);
}

TEST(PageLedger, AddsUpTheWorkOfAllStepsBefore) {
  EnergyLedger ledger;
  ledger.time = {0.0, 0.1, 0.2, 0.3}, ledger.energy = {7.0, 8.0, 8.5, 8.25};
  ledger.work.assign(3, Accounts{});
  for (int step = 0; step < 3; ++step) ledger.work[step][static_cast<int>(Account::kTorques)] = step + 1.0;
  ledger.remainder = {0.0, 0.25, 0.0};
  const std::string text = makePageLedger(&ledger);
  EXPECT_NE(text.find("\"torques\",\"work\":" + arrayForPage(std::vector<double>{0, 1, 3, 6})), std::string::npos);
  EXPECT_NE(text.find("\"integrator\",\"work\":" + arrayForPage(std::vector<double>{0, 0, 0.25, 0.25})),
            std::string::npos);
}

TEST(PageLedger, IsNullWhereThereIsNone) {
  EXPECT_EQ(makePageLedger(nullptr), "null");
  const EnergyLedger none;
  EXPECT_EQ(makePageLedger(&none), "null");
  const MadeUpRun toys = makeToys();
  EXPECT_NE(makePageData(toys.scene, toys.recording).find("\"ledger\":null"), std::string::npos);
}

}  // namespace
}  // namespace rigor
