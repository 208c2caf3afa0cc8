import { countHosts, picturesElsewhere } from '@pennant/contract/text-pictures.ts'
import { fetchPictures, type Left } from '../../site/uploads/fetch-pictures.ts'
import { storeAll, type FileStorage } from '../../site/uploads/store-files.ts'
import type { Importer } from './apply.ts'
import { textsOf, withPictures } from './pictures.ts'
import type { PlannedChallenge } from './plan.ts'

export interface ForeignPictures {
  /** The id. */
  readonly challenge: string
  readonly host: string
  readonly count: number
}

/** The texts that an import writes. */
export function writtenTexts({ value, fields, stored }: PlannedChallenge): string[] {
  const isWritten = (field: string) => !stored || fields.some((changed) => changed === field)
  return textsOf(Object.fromEntries(Object.entries(value).filter(([field]) => isWritten(field))))
}

/** Pictures of other sites in the texts that an import writes. */
function addressesIn(planned: PlannedChallenge, sources: readonly string[]): string[] {
  return [...new Set(writtenTexts(planned).flatMap((text) => picturesElsewhere(text, sources)))]
}

/** How many there are, by challenge and host. */
export function foreignPictures(
  challenges: readonly PlannedChallenge[],
  sources: readonly string[],
): ForeignPictures[] {
  return challenges.flatMap((planned) =>
    countHosts(addressesIn(planned, sources)).map((each) => ({ challenge: planned.value.id, ...each })),
  )
}

interface Importing {
  readonly sources: readonly string[]
  readonly importer: Importer
}

/** Fetches and stores them. Each is fetched once, also when the plan is made again. */
export function createForeignStore(storage: FileStorage) {
  const stored = new Map<string, string>()
  const left = new Map<string, Left>()
  /** Returns the challenges with their new addresses. */
  return async (challenges: readonly PlannedChallenge[], { sources, importer }: Importing) => {
    const addresses = challenges
      .flatMap((planned) => addressesIn(planned, sources))
      .filter((address) => !stored.has(address) && !left.has(address))
    const fetched = await fetchPictures(addresses, {
      async store(picture, source) {
        const [file] = (await storeAll(storage, [{ ...picture, source }], importer)) ?? []
        return file?.url ?? null
      },
    })
    for (const [address, url] of fetched.stored) stored.set(address, url)
    for (const each of fetched.left) left.set(each.address, each)
    return {
      challenges: challenges.map((planned) => ({ ...planned, value: withPictures(planned.value, stored) })),
      left: [...left.values()],
    }
  }
}
