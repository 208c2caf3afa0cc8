import * as contract from '@pennant/contract/admin-challenges.ts'
import { badChallenge, type badBody } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { WorldView } from '../../../world/model.ts'
import { saveChallenge, type EditDeps } from './admin-edit.ts'
import { countSolves, removeChallenge, removeSolve } from './admin-store.ts'
import { adminChallengeV1, adminChallengeV2 } from './admin-views.ts'

export interface AdminChallengeDeps extends EditDeps {
  readonly world: () => WorldView
  readonly flags: Flags
}

export function adminChallengeRoutes(deps: AdminChallengeDeps): Endpoint[] {
  return [...readRoutes(deps), ...writeRoutes(deps)]
}

function readRoutes({ db, world, flags }: AdminChallengeDeps): Endpoint[] {
  return [
    on(contract.listAdminChallengesV1, () =>
      contract.goodAdminChallengesV1(world().challenges().map(adminChallengeV1)),
    ),

    on(contract.listAdminChallengesV2, ({ team: { perms } }) =>
      contract.goodAdminChallengesV2(
        world()
          .challenges()
          .map((row) => adminChallengeV2(row, perms)),
      ),
    ),

    on(contract.readAdminChallengeV1, ({ params }) => {
      const challenge = world().challenge(params.id)
      return challenge ? contract.goodAdminChallengeV1(adminChallengeV1(challenge)) : badChallenge()
    }),

    on(contract.readAdminChallengeV2, async ({ params, team: { perms } }) => {
      const challenge = world().challenge(params.id)
      if (!challenge) return badChallenge()
      // The world only counts valid solves, but an editor needs the number of all solves.
      const solveCount = await countSolves(db, params.id)
      return contract.goodAdminChallengeV2({ ...adminChallengeV2(challenge, perms), solveCount })
    }),

    on(contract.listFlagProviders, () => {
      const defaultProvider = contract.DEFAULT_FLAG_PROVIDER
      return contract.goodFlagProviders({ defaultProvider, providers: flags.describe() })
    }),
  ]
}

function writeRoutes(deps: AdminChallengeDeps): Endpoint[] {
  const { db } = deps
  return [
    on(contract.putChallengeV1, async ({ params: { id }, body: { data }, team, ip }) => {
      const editor = { actorId: team.id, ip, keys: Object.keys(data) }
      const saved = await saveChallenge(deps, { id, data, editor })
      if ('row' in saved) return contract.goodChallengeUpdate(adminChallengeV1(saved.row))
      // Instances and the admin bot belong to version 2, so their kinds cannot occur.
      return saved.refused as ReturnType<typeof badBody>
    }),

    on(contract.putChallengeV2, async ({ params: { id }, body: { data }, team, ip }) => {
      const editor = { actorId: team.id, ip, keys: Object.keys(data) }
      const saved = await saveChallenge(deps, { id, data, editor })
      return 'row' in saved
        ? contract.goodChallengeUpdateV2(adminChallengeV2(saved.row, team.perms))
        : saved.refused
    }),

    on(contract.deleteChallenge, async ({ params, team, ip }) => {
      await removeChallenge(db, params.id, { actorId: team.id, ip, keys: [] })
      return contract.goodChallengeDelete()
    }),

    on(contract.deleteSolve, async ({ params: { challengeId, userId: teamId }, team, ip }) => {
      const editor = { actorId: team.id, ip, keys: [] }
      const isRemoved = await removeSolve(db, { challengeId, teamId }, editor)
      return isRemoved ? contract.goodChallengeSolveDelete() : contract.badUnknownSolve()
    }),
  ]
}
