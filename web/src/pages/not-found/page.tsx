import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useSitePages } from '../../layout/keys/use-site-pages.ts'
import { PlainPage } from '../../layout/plain-page.tsx'
import { useText } from '../../text/catalogue.ts'
import { frameCatalogue } from '../../text/frame.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import styles from './not-found.module.css'
import { pagesLike } from './pages-like.ts'
import { words } from './words.ts'

/** Nothing is here: a search among what there is. */
export function Component() {
  const text = useText(words)
  const frame = useText(frameCatalogue)
  const { pathname } = useLocation()
  const [typed, setTyped] = useState('')
  const found = pagesLike(useSitePages(), typed)
  return (
    <PlainPage title={text.title}>
      <p>
        {text.text} <code dir="ltr">{pathname}</code>
      </p>
      <TextInput type="search" label={text.search} value={typed} onChange={setTyped} />
      <p role="status" className={styles.count}>
        {text.found(found.length)}
      </p>
      <ul className={styles.pages}>
        {found.map(({ name, path, isOrganisers }) => (
          <li key={path}>
            <Link to={path}>{isOrganisers ? `${frame.organise}: ${name}` : name}</Link>
          </li>
        ))}
      </ul>
    </PlainPage>
  )
}
