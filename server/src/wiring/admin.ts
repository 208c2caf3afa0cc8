import type { Config } from '../config/config.ts'
import { actionRoutes } from '../features/organisers/actions/routes.ts'
import { flagTrialRoutes } from '../features/contest/challenges/flag-trials.ts'
import { wakeOutbox } from '../features/people/accounts/mail.ts'
import { adminRegistrationRoutes } from '../features/people/registration/admin-routes.ts'
import { adminVerificationRoutes } from '../features/people/accounts/admin-verification-routes.ts'
import { checkedSubject } from './checks.ts'
import { diagnosisRoutes } from '../ops/diagnosis/routes.ts'
import { adminMessageRoutes } from '../features/news/messages/admin-routes.ts'
import { cacheMessages } from '../features/news/messages/kept.ts'
import { messageRoutes } from '../features/news/messages/routes.ts'
import { settingsRoutes } from '../features/site/settings/routes.ts'
import { auditRoutes } from '../features/contest/submissions/audit-routes.ts'
import { organiserRoutes } from '../features/people/accounts/organiser-routes.ts'
import { personNames } from '../features/people/persons/rows.ts'
import { adminTeamRoutes } from '../features/people/teams/admin-routes.ts'
import type { Endpoint } from '../http/handler.ts'
import { definitionsIn, teamFilter } from './fields.ts'
import { mailingEndpoints } from './mailings.ts'
import { fairPlayEndpoints } from './fair-play.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Admin endpoints for the action log, teams, registrations, submissions and settings, and the messages between teams and organisers. */
export function adminEndpoints(config: Config, stores: Stores, providers: Providers): Endpoint[] {
  const { db, kinds, world, visibility, tokens, now, log, keyValue, follower } = stores
  const { markers, bus } = keyValue
  const caughtUp = () => follower.catchUp()
  const personName = personNames(world)
  return [
    ...actionRoutes({ db, world, kinds, now, log }),
    ...organiserRoutes({ db, world, now, tokens, divisions: config.divisions }),
    ...adminTeamRoutes({
      db,
      world,
      caughtUp,
      now,
      tokens,
      divisions: config.divisions,
      fieldFilter: teamFilter(config, stores),
    }),
    ...adminRegistrationRoutes({
      db,
      now,
      tokens,
      config,
      definitions: definitionsIn(config, stores),
      emailEnabled: providers.email !== null,
      wakeOutbox: () => wakeOutbox({ bus, log }),
    }),
    ...adminVerificationRoutes({
      db,
      tokens,
      markers,
      bus,
      log,
      now,
      loginTimeoutMs: config.loginTimeout,
      emailEnabled: providers.email !== null,
    }),
    ...flagTrialRoutes({ db, world, now, caughtUp, flags: providers.flags }),
    ...auditRoutes({ db, world, caughtUp, now, personName }),
    ...fairPlayEndpoints(stores),
    ...diagnosisRoutes({
      world,
      log,
      subject: checkedSubject(config, stores, providers),
      deployment: stores.deployment,
    }),
    ...messageRoutes({
      db,
      kept: cacheMessages(stores),
      visibility,
      world,
      now,
      destinations: [...providers.questionDestinations.keys()],
      personName,
    }),
    ...adminMessageRoutes({ db, world, now, personName }),
    ...mailingEndpoints(config, stores),
    ...settingsRoutes({ db, world, settingsDefaults: config }),
  ]
}
