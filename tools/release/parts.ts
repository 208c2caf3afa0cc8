import { chart } from './chart.ts'
import { client } from './client.ts'
import { deploy } from './deploy.ts'
import { images } from './images/part.ts'
import { serverPackage } from './package.ts'
import type { Part } from './part.ts'
import { sbom } from './sbom.ts'

/** What a release consists of, in this order: images precede the files that name them by digest. */
export const parts: readonly Part[] = [serverPackage, client, images, deploy, chart, sbom]
