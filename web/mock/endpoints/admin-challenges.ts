import * as contract from '@pennant/contract/admin-challenges.ts'
import { goodFlagTrials, tryFlags } from '@pennant/contract/flag-trials.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import type { BodyOf } from '@pennant/contract/route.ts'
import {
  goodFilesUploadV2,
  goodUploadsQueryV2,
  queryUploadsV2,
  uploadFilesV2,
} from '@pennant/contract/uploads.ts'
import { challenge } from '../challenge-list.ts'
import { on } from '../handler.ts'
import { removeSolves } from '../standings.ts'
import type { MockChallenge, World } from '../world.ts'

const list = on(contract.listAdminChallengesV2, ({ world }) =>
  contract.goodAdminChallengesV2([...world.challenges.values()]),
)

const read = on(contract.readAdminChallengeV2, ({ world, params }) => {
  const found = world.challenges.get(params.id)
  if (!found) return badChallenge()
  const solveCount = world.solves.filter(({ challengeId }) => challengeId === params.id).length
  return contract.goodAdminChallengeV2({ ...found, solveCount })
})

const put = on(contract.putChallengeV2, ({ world, params, body }) => {
  const { data } = body
  if (data.adminBotConfig?.code.includes('syntax error'))
    return contract.badAdminBotConfig({ error: "3:7: Expected ';' but found 'error'" })
  const fresh = { id: params.id, name: '', category: '', author: '', difficulty: 5, sortWeight: null }
  const before: MockChallenge = world.challenges.get(params.id) ?? {
    ...challenge(fresh),
    description: '',
    flag: '',
    flags: [],
  }
  const next = write(before, data)
  world.challenges.set(params.id, next)
  world.version++
  return contract.goodChallengeUpdateV2(next)
})

type Data = BodyOf<typeof contract.putChallengeV2>['data']

/** Applies the given fields in the form in which they are stored. */
function write(before: MockChallenge, data: Data): MockChallenge {
  const { flag, flags, files, tags, instancerConfig, adminBotConfig, tiebreakEligible, ...plain } = data
  const given = Object.entries(plain).filter(([, value]) => value !== undefined)
  const written = flags ?? (flag === undefined ? before.flags : staticFlags(flag))
  const kept = before.instancerConfig ?? {
    challengeIntegrationId: before.id,
    config: {},
    expose: [],
    timeoutMilliseconds: 0,
  }
  const { tiebreakChoice, ...after } = {
    ...before,
    ...(Object.fromEntries(given) as Partial<MockChallenge>),
  }
  const choice = tiebreakEligible === undefined ? tiebreakChoice : (tiebreakEligible ?? undefined)
  const isScored = after.points.max !== 0 || after.points.min !== 0 || after.scoring.kind === 'dynamic'
  return {
    ...after,
    ...(choice !== undefined && { tiebreakChoice: choice }),
    tiebreakEligible: choice ?? isScored,
    flags: written,
    flag: textOf(written[0]),
    files: files?.map((file) => ({ ...file, size: file.size ?? null })) ?? before.files,
    tags: tags ?? (tags === null ? [] : before.tags),
    ...(instancerConfig === undefined
      ? {}
      : { instancerConfig: instancerConfig && { ...kept, ...present(instancerConfig) } }),
    ...(adminBotConfig === undefined ? {} : { adminBotConfig: botOf(adminBotConfig) }),
  }
}

function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function staticFlags(flag: string): MockChallenge['flags'] {
  return flag === '' ? [] : [{ provider: contract.DEFAULT_FLAG_PROVIDER, config: { flag } }]
}

function textOf(first: MockChallenge['flags'][number] | undefined): string {
  const text = first?.config['flag']
  return typeof text === 'string' ? text : ''
}

function botOf(config: { readonly code: string } | null): MockChallenge['adminBotConfig'] {
  return (
    config && {
      code: config.code,
      inputs: { url: { pattern: '^https?://' } },
      revision: config.code.length.toString(16).padStart(8, '0'),
      timeoutMilliseconds: 30_000,
      requireInstancerInstancesRunning: false,
    }
  )
}

const remove = on(contract.deleteChallenge, ({ world, params }) => {
  world.challenges.delete(params.id)
  removeSolves(world, ({ challengeId }) => challengeId === params.id)
  return contract.goodChallengeDelete()
})

const removeSolve = on(contract.deleteSolve, ({ world, params }) => {
  const count = removeSolves(
    world,
    ({ challengeId, teamId }) => challengeId === params.challengeId && teamId === params.userId,
  )
  return count > 0 ? contract.goodChallengeSolveDelete() : contract.badUnknownSolve()
})

const text = { type: 'string' }

const flagProviders = on(contract.listFlagProviders, () =>
  contract.goodFlagProviders({
    defaultProvider: contract.DEFAULT_FLAG_PROVIDER,
    providers: [
      { name: 'flags/static', schema: { type: 'object', required: ['flag'], properties: { flag: text } } },
      {
        name: 'flags/regex',
        schema: { type: 'object', required: ['pattern'], properties: { pattern: text, flags: text } },
      },
      {
        name: 'flags/dynamic',
        schema: {
          type: 'object',
          required: ['base'],
          properties: { base: text, mode: { enum: ['leet', 'tail'], default: 'leet' } },
        },
      },
    ],
  }),
)

function addressOf(sha256: string, name: string): string {
  return `/uploads/${sha256}/${encodeURIComponent(name)}`
}

/** Uploads are accepted and discarded: downloads return zeros. */
const upload = on(uploadFilesV2, ({ form }) => {
  const files = (form?.getAll('files') ?? []).filter((entry) => entry instanceof File)
  return goodFilesUploadV2(
    files.map(({ name, size }) => ({ name, url: addressOf('0'.repeat(64), name), size })),
  )
})

function isStored(world: World, address: string): boolean {
  return [...world.challenges.values()].some(({ files }) => files.some(({ url }) => url === address))
}

const query = on(queryUploadsV2, ({ world, body }) =>
  goodUploadsQueryV2(
    body.uploads.map(({ sha256, name }) => {
      const url = addressOf(sha256, name)
      const isHere = isStored(world, url)
      return { sha256, name, url: isHere ? url : null, size: isHere ? 17_408 : null }
    }),
  ),
)

/** Compares with exact flags only. */
const trials = on(tryFlags, ({ world, body }) =>
  goodFlagTrials({
    trials: body.data.trials.map(({ challengeId, flag }) => {
      const found = world.challenges.get(challengeId)
      const index = found?.flags.findIndex((entry) => textOf(entry) === flag) ?? -1
      const outcome = !found
        ? 'noChallenge'
        : found.flags.length === 0
          ? 'noFlag'
          : index < 0
            ? 'refused'
            : 'accepted'
      return { challengeId, outcome, matchedFlagIndex: index < 0 ? null : index }
    }),
  }),
)

export const adminChallengeEndpoints = [
  list,
  read,
  put,
  remove,
  removeSolve,
  flagProviders,
  trials,
  upload,
  query,
]
