# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the first form of version 1 from frozen declarations: without what was
# appended later, which is decode, free_decoded, left_out and is_item.

/NBSTAGE_LISTED|NBSTAGE_LEFT_OUT|is_item;/ { next }
/^struct nbstage_decoded/, /^};/ { next }
/\(\*decode\)|\(\*free_decoded\)/, /;/ { next }
{ print }
