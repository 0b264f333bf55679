// The browser's own notification of a new review, if the person asked for it. The headline has no secret in it.
import { noticesOn } from './prefs'
import { go } from './route'
import type { Review } from '../types'
import { plainly } from '../text/odd'
import { headlineOf } from '../text/words'

export const noticesPossible = () => 'Notification' in window

export async function askForNotices(on: boolean) {
  noticesOn.value = on && noticesPossible() && (await Notification.requestPermission()) === 'granted'
}

export function announce(review: Review) {
  if (!noticesOn.value || !noticesPossible() || Notification.permission !== 'granted' || document.hasFocus()) return
  const notice = new Notification(plainly(`${review.worker_id ?? 'An agent'} asks`), { body: plainly(headlineOf(review)), tag: review.id })
  notice.onclick = () => {
    window.focus()
    go('reviews', review.id)
    notice.close()
  }
}
