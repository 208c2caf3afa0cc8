import { useEffect } from 'react'
import { useConfig } from '../api/use-contest.ts'

/** The setting's own default: the page has the same picture within it, which costs no request. */
const OURS = '/favicon.svg'
/** Addresses of pictures that the site's policy lets in. */
const ALLOWED = /^(?:https:\/\/|\/(?!\/)|data:image\/)/i

export function isPictureAddress(address: string): boolean {
  return ALLOWED.test(address)
}

/** Shows the event's icon in the tab; ours where it has none, or one that would be refused. */
export function useFavicon(): void {
  const icon = useConfig()?.faviconUrl
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || !icon || icon === OURS || !isPictureAddress(icon)) return undefined
    const { href, type } = link
    link.removeAttribute('type')
    link.href = icon
    return () => {
      Object.assign(link, { href, type })
    }
  }, [icon])
}
