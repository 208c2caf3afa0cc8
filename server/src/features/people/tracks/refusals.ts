import { badTrack, badTrackAgent } from '@pennant/contract/tracks.ts'

/** By the problem of a declaration. */
export const declarationRefusals = { track: badTrack, agent: badTrackAgent }
