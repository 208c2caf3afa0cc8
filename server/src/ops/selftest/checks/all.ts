import type { Check } from '../check.ts'
import { accountChecks } from './accounts.ts'
import { closedPartChecks } from './closed-parts.ts'
import { documentChecks } from './documents.ts'
import { fieldChecks } from './field-leaks.ts'
import { factorChecks } from './factors.ts'
import { fileChecks } from './files.ts'
import { limitChecks } from './limits.ts'
import { networkChecks } from './network.ts'
import { openIdChecks } from './openid.ts'
import { pageChecks } from './pages.ts'
import { peopleChecks } from './people.ts'
import { permissionChecks } from './permissions.ts'
import { raceChecks } from './races.ts'
import { requestChecks } from './requests.ts'
import { tokenChecks } from './tokens.ts'
import { visibilityChecks } from './visibility.ts'
import { webhookChecks } from './webhooks.ts'

/** Every check, in the order in which they run. Outbound requests come last: earlier checks may cause them. */
export const allChecks: readonly Check[] = [
  ...permissionChecks,
  ...visibilityChecks,
  ...closedPartChecks,
  ...fieldChecks,
  ...tokenChecks,
  ...openIdChecks,
  ...factorChecks,
  ...raceChecks,
  ...webhookChecks,
  ...accountChecks,
  ...fileChecks,
  ...pageChecks,
  ...requestChecks,
  ...documentChecks,
  ...limitChecks,
  ...peopleChecks,
  ...networkChecks,
]
