import {
  getClientConfigV1,
  getClientConfigV2,
  goodClientConfigV1,
  goodClientConfigV2,
} from '@pennant/contract/client-config.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { memoizeLatest } from '../../../http/response/prepared-cache.ts'
import { prepare } from '../../../http/response/prepared.ts'
import type { WorldView } from '../../../world/model.ts'
import { gatedChallenges } from '../../contest/challenges/visible.ts'
import { definitionsOf } from '../custom-fields/definitions.ts'
import { pageLinks } from '../pages/links.ts'
import {
  isRegistrationOpen,
  registrationRules,
  type RegistrationRules,
} from '../settings/registration-rules.ts'
import { closedParts, type Viewer } from '../../contest/visibility/rules.ts'
import { perExtent, type Seen, type Visibility } from '../../contest/visibility/visibility.ts'
import { effectiveSettings, pictureSources, type EventSettings } from '../settings/rules.ts'
import {
  clientConfigV1,
  clientConfigV2,
  registrationView,
  tracksView,
  type PublicDeployment,
} from './views.ts'

export interface ClientConfigDeps {
  readonly visibility: Visibility
  /** All teams count for the maximum, whoever asks. */
  readonly world: () => WorldView
  readonly settingsDefaults: EventSettings
  readonly deployment: PublicDeployment
  readonly now: () => number
}

function hasPrerequisites(view: WorldView): boolean {
  return gatedChallenges(view).length > 0
}

/** A number for each state of the pages. */
function createPagesKey() {
  let latest: unknown
  let key = 0
  return (view: WorldView): number => {
    const links = pageLinks(view)
    if (links !== latest) key += 1
    latest = links
    return key
  }
}

function countPlayers(view: WorldView): number {
  let count = 0
  for (const { perms, banned } of view.teams()) if (perms === 0 && !banned) count += 1
  return count
}

/** The public configuration, rendered once per version of the stored settings and pages. */
export function clientConfigRoutes({
  visibility,
  world,
  settingsDefaults,
  deployment,
  now,
}: ClientConfigDeps): Endpoint[] {
  const pagesKey = createPagesKey()
  const countTeams = memoizeLatest(countPlayers)
  const isFull = ({ maxTeams }: RegistrationRules) =>
    maxTeams !== null && countTeams(String(world().versions.teams), world()) >= maxTeams
  const render = ({ world: view, extent }: Seen) => {
    const event = effectiveSettings(settingsDefaults, view.settings)
    const effective = extent.hasHome ? event : withoutHome(event)
    const closed = closedParts(event.visibility)
    const rules = registrationRules(settingsDefaults, view.settings)
    const enabled = isRegistrationOpen(rules, now())
    const shown = {
      ...deployment,
      registrationsEnabled: deployment.registrationsEnabled === null ? null : enabled,
    }
    const config = clientConfigV2(effective, shown)
    const registration = registrationView(rules, isFull(rules))
    const tracks = tracksView(view)
    const personal = hasPrerequisites(view) ? { prerequisites: true as const } : {}
    const statistics = view.settings.statisticsPublic ? { statistics: true as const } : {}
    const sources = pictureSources(view.settings, deployment.uploadsOrigin)
    const links = pageLinks(view)
    const pages = links.length > 0 ? { pages: [...links] } : {}
    const pictures = sources.length > 0 ? { pictureSources: sources } : {}
    return {
      v1: prepare(goodClientConfigV1(clientConfigV1(effective, shown))),
      v2: prepare(
        goodClientConfigV2({
          ...config,
          ...registration,
          ...personal,
          ...(definitionsOf(settingsDefaults, view.settings).fields.length > 0 && { fields: true as const }),
          ...statistics,
          ...tracks,
          ...pages,
          ...(Object.keys(closed).length > 0 && { visibility: closed }),
          ...pictures,
        }),
      ),
    }
  }
  const bothOf = perExtent(() => memoizeLatest(render))
  function current(viewer: Viewer) {
    const seen = visibility.seenBy(viewer)
    const { world: view, extent } = seen
    const rules = registrationRules(settingsDefaults, view.settings)
    const state = [hasPrerequisites(view), isRegistrationOpen(rules, now()), isFull(rules)].map(Number)
    return bothOf(extent)(`${view.settingsKey} ${state.join('')} ${pagesKey(view)}`, seen)
  }

  return [
    on(getClientConfigV1, ({ viewer }) => current(viewer).v1),
    on(getClientConfigV2, ({ viewer }) => current(viewer).v2),
  ]
}

/** The name and the times are open to everyone: a client needs them to sign in. */
function withoutHome(event: EventSettings): EventSettings {
  return { ...event, homeContent: '', sponsors: [], meta: { description: '', imageUrl: '' } }
}
