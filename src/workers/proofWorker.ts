import { type GenesisProof, verifyProofs } from "../core/genesis/proofs.js"
import { bls } from "../platform/backends.js"
import { answerRequests } from "./thread.js"

// The program of a thread that verifies proofs of possession.
answerRequests<readonly GenesisProof[], void>((proofs) => verifyProofs(proofs, bls()))
