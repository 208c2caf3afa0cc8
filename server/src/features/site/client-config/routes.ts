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
import { pageLinks } from '../pages/links.ts'
import { effectiveSettings, pictureSources, type EventSettings } from '../settings/rules.ts'
import { clientConfigV1, clientConfigV2, type PublicDeployment } from './views.ts'

export interface ClientConfigDeps {
  /** As participants see it. */
  readonly world: () => WorldView
  readonly settingsDefaults: EventSettings
  readonly deployment: PublicDeployment
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

/** The public configuration, rendered once per version of the stored settings and pages. */
export function clientConfigRoutes({ world, settingsDefaults, deployment }: ClientConfigDeps): Endpoint[] {
  const pagesKey = createPagesKey()
  const both = memoizeLatest((view: WorldView) => {
    const effective = effectiveSettings(settingsDefaults, view.settings)
    const config = clientConfigV2(effective, deployment)
    const personal = hasPrerequisites(view) ? { prerequisites: true as const } : {}
    const statistics = view.settings.statisticsPublic ? { statistics: true as const } : {}
    const sources = pictureSources(view.settings, deployment.uploadsOrigin)
    const links = pageLinks(view)
    const pages = links.length > 0 ? { pages: [...links] } : {}
    const pictures = sources.length > 0 ? { pictureSources: sources } : {}
    return {
      v1: prepare(goodClientConfigV1(clientConfigV1(effective, deployment))),
      v2: prepare(goodClientConfigV2({ ...config, ...personal, ...statistics, ...pages, ...pictures })),
    }
  })
  function current() {
    const view = world()
    return both(`${view.settingsKey}${hasPrerequisites(view) ? ' personal' : ''} ${pagesKey(view)}`, view)
  }

  return [on(getClientConfigV1, () => current().v1), on(getClientConfigV2, () => current().v2)]
}
