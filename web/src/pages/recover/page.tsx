import { PlainPage } from '../../layout/plain-page.tsx'
import { useText } from '../../text/catalogue.ts'
import { words } from './words.ts'

export function Component() {
  const text = useText(words)
  return <PlainPage title={text.title} />
}
