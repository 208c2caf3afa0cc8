import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artefact, Part, ReleaseContext } from '../part.ts'
import { buildImage } from './build.ts'
import type { ImageSpec } from './image.ts'
import { readLock } from './lock.ts'
import { describeContents } from './sbom.ts'
import { images as specs } from './specs.ts'

/** The server's and the bot's image, each one file for every architecture, and lists of what they contain. */
export const images: Part = {
  name: 'images',
  async build(context) {
    const artefacts: Artefact[] = []
    for (const spec of specs) artefacts.push(...(await write(context, spec)))
    return artefacts
  },
}

async function write(context: ReleaseContext, spec: ImageSpec): Promise<Artefact[]> {
  const { out, version, time, say } = context
  const name = `${spec.name}-image-${version}.oci.tar`
  const built = await buildImage(context, {
    spec,
    lock: await readLock(),
    file: join(out, name),
    tag: version,
  })
  say(`  ${spec.name}@${built.digest}`)
  for (const { architecture, unpackedBytes, layers } of built.platforms) {
    const compressed = layers.reduce((sum, { size }) => sum + size, 0)
    say(`  ${architecture}: ${inMegabytes(compressed)} compressed, ${inMegabytes(unpackedBytes)} unpacked`)
    if (unpackedBytes > spec.budgetBytes)
      throw new Error(
        `${spec.name} for ${architecture} exceeds its budget of ${inMegabytes(spec.budgetBytes)}.`,
      )
  }
  const sbom = `${spec.name}-image-${version}.cdx.json`
  const contents = describeContents({ name: spec.name, version, time, platforms: built.platforms })
  await writeFile(join(out, sbom), `${JSON.stringify(contents, null, 1)}\n`)
  return [{ name, image: { name: spec.name, digest: built.digest } }, { name: sbom }]
}

/** Decimal, as registries and engines print sizes. */
function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
