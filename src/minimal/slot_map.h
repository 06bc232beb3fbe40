// Slots of contacts that come and go, by their ids.
#pragma once

#include <cstdint>
#include <vector>

#include "rigor/row_id.h"

namespace rigor {

/// From id to slot: open addressing over a table that is at most half full. Allocates only when it grows.
class SlotMap {
 public:
  SlotMap() { clear(); }

  void clear() {
    entries_.assign(entries_.empty() ? 64 : entries_.size(), Entry{});
    count_ = 0;
  }

  /// Room for so many ids.
  void reserve(std::size_t count) {
    while (entries_.size() < 2 * (count + 1)) grow();
  }

  /// The slot of an id, −1 if it is new; what is written there is kept.
  int& operator[](const RowId& id) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[placeOf(id)];
    if (!entry.used) entry = {id, -1, true}, ++count_;
    return entry.slot;
  }
  /// The same for an id that is only looked for.
  int find(const RowId& id) const { return entries_[placeOf(id)].slot; }

 private:
  struct Entry {
    RowId id;
    int slot = -1;
    bool used = false;
  };

  std::size_t placeOf(const RowId& id) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t place =
        ((id.high * 0x9e3779b97f4a7c15u ^ id.low) * 0x9e3779b97f4a7c15u >> 32) & mask;  // Fibonacci hashing
    while (entries_[place].used && entries_[place].id != id) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.used) entries_[placeOf(entry.id)] = entry;
  }

  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace rigor
