import { Link } from 'react-router'
import { useRequiredPages } from '../api/pages.ts'
import { paths } from '../paths.ts'
import { pagesMessages } from '../text/en/pages.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { Switch } from '../ui/fields/choices.tsx'
import type { FormField } from '../ui/form.ts'

/** One check box for all pages that teams must accept, with links to them in other tabs: what was typed stays. */
export function AcceptField({ value, ...field }: FormField<boolean, string>) {
  const text = useMessages(pagesMessages)
  const format = useFormat()
  const required = useRequiredPages()
  if (required.length === 0) return null
  return (
    <>
      <Switch
        {...field}
        kind="checkbox"
        label={text.acceptAtRegistration(format.list(required.map(({ title }) => title)))}
        checked={value}
      />
      <p className="pn-flat pn-wrap pn-gap-3">
        {required.map(({ slug, title }) => (
          <Link key={slug} to={paths.page(slug)} target="_blank">
            {text.read(title)}
          </Link>
        ))}
      </p>
    </>
  )
}
