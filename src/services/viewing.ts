let isViewing = false;

/** Tells whether a master looks on as somebody else: read when a screen is drawn, which every change of it begins anew. */
export function setViewing(viewing: boolean): void {
  isViewing = viewing;
}

export const isLookingOn = (): boolean => isViewing;
