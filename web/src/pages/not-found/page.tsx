import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useSitePages } from '../../layout/keys/use-site-pages.ts'
import { PlainPage } from '../../layout/states/plain-page.tsx'
import { frameMessages } from '../../text/en/frame.ts'
import { notFoundMessages } from '../../text/en/not-found.ts'
import { useMessages } from '../../text/messages.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import styles from './not-found.module.css'
import { pagesLike } from './pages-like.ts'

/** 404 page with a search over the existing pages. */
export function Component() {
  const text = useMessages(notFoundMessages)
  const frame = useMessages(frameMessages)
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
