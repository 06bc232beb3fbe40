// rigor's answers to the questions that the peers were asked, through the public functions.
#pragma once

#include "peers/peer_file.h"

namespace rigor {

/// All quantities of peer_file.h. The derivatives of inverse dynamics are taken at the acceleration that the peer found.
Answers askRigor(const Model& model, const PeerCase& question);

}  // namespace rigor
