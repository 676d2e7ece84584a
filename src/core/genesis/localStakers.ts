import { hexToBytes } from "../lib/bytes.js"
import { parseNodeID } from "../types/id.js"
import type { GenesisStaker } from "./config.js"
import { ewoq } from "./testKeys.js"

/** The local network's five validators: node ID, delegation fee, BLS key, proof of possession. Their secrets are `localBlsSecrets`. */
const facts: readonly (readonly [string, number, string, string])[] = [
  [
    "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
    1_000_000,
    "900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
    "8bfd6d4d2086b2b8115d8f72f94095fefe5a6c07876b2accf51a811adf520f389e74a3d2152a6d90b521e2be58ffe468" +
      "043dc5ea68b4c44410eb67f8dc24f13ed4f194000764c0e922cd254a3588a4962b1cb4db7de4bb9cda9d9d4d6b03f3d2",
  ],
  [
    "NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ",
    500_000,
    "a058ff27a4c570664bfa28e34939368539a1340867951943d0f56fa8aac13bc09ff64f341acf8cc0cef74202c2d6f9c0",
    "ac52195616344127df74d924e11701ca5e0867647ae36171d168fcf95d536e94061659b3edb924fffdb69dd5aa5cb2d7" +
      "03f8920c825c8f7b74dd0112c9c27814790bfcfa3a08e1d9358da1c54e1f6c0b4d9772432f79d7dceaa3a95c3a7e6adc",
  ],
  [
    "NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN",
    250_000,
    "a10b6955a85684a0f5c94b8381f04506f1bee60625927d372323f78b3d30196cc56c8618c77eaf429298e74673d832c3",
    "8d505f7b53960813f1e007f04702ae1bd524cce036b4695fbf8a16eb50b35cdbdd4eedec2b0ce281f35ae36e3ac29fb4" +
      "0867c94cabe2ba0b462f177dd8c3d293b0586b92d392e8278711fb434fe2601ae1b2e0867cfd128180c936a8010c5552",
  ],
  [
    "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu",
    125_000,
    "accd61ceb90c61628aa0fa34acab27ecb08f6897e9ccad283578c278c52109f9e10e4f8bc31aa6d7905c4e1623de367e",
    "910082e2b61fe4895b4a8f754c9e3a93c346156363acf67546a87e4bc1db7bbfa3239daa5292ad9bc30a11f60e59bbd3" +
      "0b375785b71fe45abd154d717b6471c2406df2534297305ae93d6abeb38fc461170fc0b74b8aa4550f30257a264c75b0",
  ],
  [
    "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5",
    62_500,
    "8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a",
    "b034e0d0ec808b7ec456a6d88bdad7b32854794605a11139d70430d81fb93834a3f81d8969042952daff335fec510180" +
      "16a7ecb19d38597c5743a4eb3fb945ebe28a4250dd7bcb7a192c98d2fcaf15320a9bee239c66ddf61bb24f87c6e91971",
  ],
]

export const localStakers: readonly GenesisStaker[] = facts.map(([nodeID, delegationFee, publicKey, proofOfPossession]) => ({
  nodeID: parseNodeID(nodeID),
  rewardAddress: ewoq.address,
  delegationFee,
  signer: { publicKey: hexToBytes(publicKey), proofOfPossession: hexToBytes(proofOfPossession) },
}))
