import { Link } from 'react-router'
import { PlainPage } from '../../layout/plain-page.tsx'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { words } from './words.ts'

export function Component() {
  const text = useText(words)
  return (
    <PlainPage title={text.title}>
      <p>{text.text}</p>
      <ul>
        <li>
          <Link to={paths.home()}>{text.home}</Link>
        </li>
        <li>
          <Link to={paths.challenges()}>{text.challenges}</Link>
        </li>
        <li>
          <Link to={paths.scores()}>{text.scores}</Link>
        </li>
      </ul>
    </PlainPage>
  )
}
