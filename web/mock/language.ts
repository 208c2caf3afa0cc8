import { pseudo } from './pseudo.ts'
import { storedSwitches } from './stored-switches.ts'

/** English, or pseudo when the session asks for it. `build/mock-site.ts` passes each catalogue through here. */
export function inLanguage<Words>(words: Words): Words {
  return storedSwitches.isPseudo ? pseudo(words) : words
}
