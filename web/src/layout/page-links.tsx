import { Link } from 'react-router'
import { useNamedPages } from '../api/pages.ts'
import { paths } from '../paths.ts'

/** Links of the footer: the pages of both places, because on narrow screens the menu is a button. */
export function PageLinks() {
  return useNamedPages()
    .filter(({ place }) => place !== 'none')
    .map(({ slug, title }) => (
      <Link key={slug} to={paths.page(slug)}>
        <bdi>{title}</bdi>
      </Link>
    ))
}
