@echo off
rem SPDX-License-Identifier: GPL-2.0-or-later
rem Drop WADs on this file.  It builds their blockmaps anew, and keeps each old
rem file as NAME~ or, if that is there, NAME.~2~ and so on.  Explorer quotes only
rem names with a space, so cmd splits others at an ampersand and drops a caret; a
rem name of a variable between percent signs is replaced in any name.
setlocal
if "%~1"=="" (
    echo Drop a WAD on repair.bat to repair it.
    pause
    exit /b 2
)
"%~dp0blocksweep.exe" --in-place --backup %*
set status=%errorlevel%
if not %status%==0 (
    echo If the file was not found: rename it if its name has %%, or ^& or ^^ but no space.
)
pause
exit /b %status%
