import { readManifest, repositoryOf } from '../repository.ts'

/** What one run of `npm run release` makes its parts of. */
export interface ReleaseContext {
  /** The checkout. */
  readonly root: string
  /** A fresh build of the checkout: `server/dist`, `web/dist` and `bot/dist`. */
  readonly built: string
  /** Where artefacts are written. */
  readonly out: string
  /** Of the root manifest; of a tree with uncommitted changes, it ends in `dirty`. */
  readonly version: string
  readonly commit: string
  /** The only time that an artefact contains: SOURCE_DATE_EPOCH, or that of the commit. */
  readonly time: Date
  /** What earlier parts have written. */
  readonly artefacts: readonly Artefact[]
  readonly say: (line: string) => void
}

/** A file of the release. */
export interface Artefact {
  /** Name in the output folder. */
  readonly name: string
  /** Largest allowed size. */
  readonly budgetBytes?: number
  /** The image that the file contains, for the parts that name it. */
  readonly image?: ReleaseImage
}

export interface ReleaseImage {
  readonly name: 'pennant' | 'pennant-bot'
  /** `sha256:…` by which Compose, systemd and Helm name the image. */
  readonly digest: string
}

export interface Part {
  readonly name: string
  /** Writes artefacts to `out`; equal contexts result in equal bytes. */
  build(context: ReleaseContext): Promise<readonly Artefact[]>
}

/** The digest of an image of this release; null, with a message, if the run does not build images. */
export function digestOf({ artefacts, say }: ReleaseContext, name: ReleaseImage['name']): string | null {
  const image = artefacts.find((artefact) => artefact.image?.name === name)?.image
  if (!image) say(`  ${name} was not built in this run: it is named by version, not by digest`)
  return image?.digest ?? null
}

/** Where the release's images are pulled from; `localhost` before the project is published. */
export function registryOf(): string {
  return repositoryOf(readManifest())?.registry ?? 'localhost'
}

/** How engines name an image of this release. */
export function referenceOf(context: ReleaseContext, name: ReleaseImage['name']): string {
  const digest = digestOf(context, name)
  return `${registryOf()}/${name}${digest === null ? `:${context.version}` : `@${digest}`}`
}

/** The text with each pattern replaced. Throws if one is not found, so that no file of a release keeps what was to go. */
export function replaceIn(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((before, [pattern, replacement]) => {
    if (!pattern.test(before)) throw new Error(`no ${pattern} is in: ${before.slice(0, 200)}`)
    return before.replace(pattern, replacement)
  }, text)
}
