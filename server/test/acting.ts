import type { Acting } from '../src/lib/acting-person.ts'

/** What was done with the token of the team itself. */
export const asTeam: Acting = { personId: null, apiTokenId: null, apiTokenName: null }
