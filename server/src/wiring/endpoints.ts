import { allRoutes } from '@pennant/contract/all.ts'
import type { Config } from '../config/config.ts'
import { accountRoutes } from '../features/people/accounts/routes.ts'
import { adminChallengeRoutes } from '../features/contest/challenges/admin-routes.ts'
import { challengeArchiveRoutes } from '../features/organisers/archives/routes.ts'
import { challengeRoutes } from '../features/contest/challenges/routes.ts'
import { createProviders } from '../features/people/sign-in/providers.ts'
import { renewLink } from '../features/people/sign-in/personal-link.ts'
import { signInRoutes } from '../features/people/sign-in/routes.ts'
import { isFlagOfInstance } from '../features/engines/instances/slots.ts'
import { descriptionRoutes } from '../features/site/health/routes.ts'
import { registrationRoutes } from '../features/people/registration/routes.ts'
import { isRegistrationOpen, registrationRules } from '../features/site/settings/registration-rules.ts'
import { pictureSources } from '../features/site/settings/rules.ts'
import { extrankExportRoutes } from '../features/board/leaderboard/extrank-export.ts'
import { replayRoutes } from '../features/board/leaderboard/replay-routes.ts'
import { leaderboardRoutes } from '../features/board/leaderboard/routes.ts'
import { agentRoutes } from '../features/live/agents/routes.ts'
import type { Receipts } from '../features/organisers/fair-play/receipts.ts'
import type { StreamHub } from '../features/live/stream/hub.ts'
import { streamRoutes } from '../features/live/stream/routes.ts'
import { submissionRoutes } from '../features/contest/submissions/routes.ts'
import { adminPeopleRoutes } from '../features/people/persons/admin-routes.ts'
import { organiserPeopleRoutes } from '../features/people/persons/organiser-routes.ts'
import type { PeopleDeps } from '../features/people/persons/people-deps.ts'
import { peopleRoutes, teamCreation } from '../features/people/persons/routes.ts'
import { createDivisions, type Divisions } from '../features/people/teams/divisions.ts'
import { createOwnWrites } from '../features/people/teams/own-writes.ts'
import { teamRoutes } from '../features/people/teams/routes.ts'
import type { Endpoint } from '../http/handler.ts'
import type { InnerFetch } from '../http/inner.ts'
import { readRelease } from '../lib/release.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { SenderWatch } from '../http/request/sender-watch.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import { adminEndpoints } from './admin.ts'
import { clientEndpoints } from './client.ts'
import { definitionsIn, fieldEndpoints } from './fields.ts'
import { fileEndpoints } from './files.ts'
import type { InstanceRuntime } from './instance-runtime.ts'
import { instanceEndpoints } from './instances.ts'
import { integrationEndpoints } from './integrations.ts'
import { archiveKindsOf, kindEndpoints, type Checks } from './kinds.ts'
import { overviewEndpoints } from './overview.ts'
import { personalDataEndpoints } from './personal-data.ts'
import type { Providers } from './providers.ts'
import { statusEndpoints, type StatusParts } from './status.ts'
import type { Stores } from './stores.ts'

type EndpointProviders = Providers & {
  readonly runtime: InstanceRuntime
  readonly senders: SenderWatch
  readonly metrics: Metrics
  readonly hub: StreamHub
  readonly innerFetch: InnerFetch
  readonly checks: Checks
  readonly receipts: Receipts
} & StatusParts

/** Every endpoint with its dependencies. */
export function createEndpoints(config: Config, stores: Stores, providers: EndpointProviders): Endpoint[] {
  const { db, world, shown, visibility, tokens, now, log, limiter } = stores
  const { markers, bus } = stores.keyValue
  const { flags, instancers, adminBot } = providers
  const emailEnabled = providers.email !== null
  const divisions = createDivisions({ ...config, emailEnabled })
  const ownWrites = createOwnWrites()
  const definitions = definitionsIn(config, stores)
  const editing = { db, world, flags, instancers, adminBot }
  const { maxRequestBodySize } = config
  const own = { db, world, shown, visibility, tokens, limiter, now, divisions, ownWrites }
  const people = peopleDeps(config, stores, divisions)
  return [
    ...accountRoutes({
      ...own,
      markers,
      lasting: createDatabaseMarkers(db, now),
      bus,
      log,
      loginTimeoutMs: config.loginTimeout,
      emailEnabled,
      registrationRules: () => registrationRules(config, world().settings),
      definitions,
      isPersonRequired: config.people.mode === 'required',
      localSessionLifeMs: config.people.organiserSessionLife,
      demandsSecondFactor: config.organisers.secondFactor.length > 0,
      extrankEnabled: config.extrank !== undefined,
      hasStrictLimits: config.rateLimits !== undefined,
    }),
    ...registrationRoutes({ db, tokens }),
    ...signInRoutes({
      ...own,
      markers,
      bus,
      log,
      origin: config.origin,
      loginTimeoutMs: config.loginTimeout,
      emailEnabled,
      providers: createProviders(config.people.providers, {
        origin: config.origin,
        fetch: stores.fetch,
        now,
      }),
      hasPeople: config.people.mode !== 'off',
      canRegister: () => isRegistrationOpen(registrationRules(config, world().settings), now()),
      createTeam: config.people.individual ? teamCreation(people) : null,
      definitions,
      sessionLifeMs: config.people.sessionLife,
      organiserSessionLifeMs: config.people.organiserSessionLife,
      demanded: config.organisers.secondFactor,
    }),
    ...teamRoutes({
      ...own,
      score: providers.score,
      userMembers: config.userMembers,
      maxMembers: config.maxMembers,
    }),
    ...peopleRoutes(people),
    ...adminPeopleRoutes(people),
    ...organiserPeopleRoutes({
      ...people,
      demanded: config.organisers.secondFactor,
      linkOf: (tx, id) => renewLink(tx, { tokens, now, origin: config.origin }, id),
    }),
    ...personalDataEndpoints(config, stores),
    ...fieldEndpoints(config, stores),
    ...challengeRoutes({
      world,
      visibility,
      limiter,
      onSent: providers.receipts.note,
      instancerEnabled: instancers !== null,
      canStopInstance: (name) => instancers?.find(name)?.canStop ?? true,
      adminBotEnabled: adminBot !== null,
    }),
    ...submissionRoutes({
      onCommit: providers.metrics.submissionsCommitted,
      db: db.reserved,
      bus,
      world,
      limiter,
      now,
      log,
      flags: providers.flags,
      // Everyone reads the organiser's list of submissions.
      wrongFlagText: config.publicDemo && '(hidden in the public demo)',
      caughtUp: () => stores.follower.catchUp(),
      isFlagOfInstance: (submitted) => isFlagOfInstance(db.reserved, submitted),
    }),
    ...adminChallengeRoutes(editing),
    ...challengeArchiveRoutes({
      ...editing,
      archives: archiveKindsOf(stores.kinds),
      log,
      uploads: providers.uploads,
      maxRequestBodySize,
      pictureSources: () => [config.origin, ...pictureSources(world().settings, providers.uploads.origin)],
    }),
    ...instanceEndpoints(config, stores, providers),
    ...adminEndpoints(config, stores, providers),
    ...kindEndpoints(config, stores, providers.checks),
    ...overviewEndpoints(config, stores, providers),
    ...statusEndpoints(config, stores, providers),
    ...fileEndpoints(config, stores, providers),
    ...leaderboardRoutes({
      ...own,
      divisions: config.divisions,
      graphSampleMs: config.leaderboard.graphSampleTime,
    }),
    ...replayRoutes({ world, visibility, limiter, now, divisions: config.divisions }),
    ...extrankExportRoutes({ world: shown, live: world, now, feedKey: config.standingsFeed?.key ?? null }),
    ...integrationEndpoints(config, stores, ownWrites),
    ...clientEndpoints(config, stores, providers),
    ...streamRoutes(providers),
    ...agentRoutes({
      innerFetch: providers.innerFetch,
      origin: config.origin,
      version: readRelease().version,
    }),
    ...descriptionRoutes({ routes: allRoutes, origin: config.origin, version: '1' }),
  ]
}

function peopleDeps(
  config: Config,
  { db, world, visibility, now, follower }: Stores,
  divisions: Divisions,
): PeopleDeps {
  const caughtUp = () => follower.catchUp()
  const rules = () => registrationRules(config, world().settings)
  const { people } = config
  const definitions = definitionsIn(config, { world })
  const caught = { caughtUp, registrationRules: rules, definitions }
  return { db, world, visibility, now, people, divisions, ...caught }
}
