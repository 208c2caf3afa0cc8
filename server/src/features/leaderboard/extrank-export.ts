import { getExtrankLeaderboard, type ExtrankStandings } from '@pennant/contract/extrank-export.ts'
import type { z } from 'zod'
import { on, type Endpoint } from '../../http/handler.ts'
import { memoizeLatest } from '../../http/prepared-cache.ts'
import { preparedBytes, type Prepared } from '../../http/prepared.ts'
import type { WorldView } from '../../world/model.ts'

export interface ExtrankExportDeps {
  /** As participants see it. */
  readonly world: () => WorldView
}

/** The standings in the ranking site's format, without the response envelope. */
export function extrankExportRoutes({ world }: ExtrankExportDeps): Endpoint[] {
  const standings = memoizeLatest(prepareStandings)
  return [
    on(getExtrankLeaderboard, () => {
      const view = world()
      return standings(view.boardKey, view)
    }),
  ]
}

function prepareStandings(world: WorldView): Prepared {
  const ids = world.ranked({ offset: 0, limit: world.rankedCount() })
  const body: z.input<typeof ExtrankStandings> = {
    standings: ids.map((id, index) => ({
      pos: index + 1,
      team: world.team(id)?.name ?? '',
      score: world.standing(id).score,
    })),
  }
  return preparedBytes(Buffer.from(JSON.stringify(body)))
}
