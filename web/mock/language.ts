import { catalogue as plain, type Catalogue } from '../src/text/catalogue.ts'
import { pseudo } from './pseudo.ts'
import { storedSwitches } from './stored-switches.ts'

/** Replaces `text/catalogue.ts` for the English catalogues: pseudo-localized if the session requests it. */
export function catalogue<Name extends string, Messages>(
  name: Name,
  english: Messages,
): Catalogue<Name, Messages> {
  return plain(name, storedSwitches.isPseudo ? pseudo(english) : english)
}
