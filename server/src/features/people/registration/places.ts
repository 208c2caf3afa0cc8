import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { RegistrationRules } from '../../site/settings/registration-rules.ts'
import { isAnyoneWaitingForPlace } from './admission.ts'
import { giveFreePlaces, type DecisionMails } from './queue.ts'

export interface FreePlacesDeps {
  readonly db: Database
  readonly rules: () => RegistrationRules
  readonly mails: DecisionMails | null
  readonly log: Log
}

const EVERY_MS = 5 * SECOND_MS

/** A job of the worker: the waiting list moves up when a team leaves or organisers raise the maximum. */
export function freePlaces({ db, rules, mails, log }: FreePlacesDeps) {
  return {
    name: 'free places of the waiting list',
    everyMs: EVERY_MS,
    async run(): Promise<void> {
      if (!(await isAnyoneWaitingForPlace(db))) return
      const teams = await giveFreePlaces(db, rules().maxTeams, mails)
      if (teams > 0) log.info({ teams }, 'teams moved up from the waiting list')
    },
  }
}
