import { beavercds } from './beavercds.ts'
import { ctfcli } from './ctfcli.ts'
import { gzcli } from './gzcli.ts'
import { konata } from './konata.ts'
import { noctfcli } from './noctfcli.ts'
import { rcds } from './rcds.ts'
import { foreignNames, type ForeignFormat, type ForeignName } from './translation.ts'

/** The readers of other tools' formats, by their names. The order is that of `foreignNames`. */
export const foreignFormats: Readonly<Record<ForeignName, ForeignFormat>> = {
  konata,
  noctfcli,
  gzcli,
  beavercds,
  rcds,
  ctfcli,
}

/** Whether a file is called as the documents of some format are. */
export function isDocumentName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return OWN_NAME.test(name) || foreignNames.some((format) => foreignFormats[format].documents.test(name))
}

const OWN_NAME = /^challenge\.(?:ya?ml|json)$/
