@echo off
rem SPDX-License-Identifier: GPL-2.0-or-later
rem Drop WADs on this file.  It builds their blockmaps anew, and keeps each old
rem file as NAME~ or, if that is there, NAME.~2~ and so on.
setlocal
if "%~1"=="" (
    echo Drop a WAD on repair.bat to repair it.
    pause
    exit /b 2
)
"%~dp0blocksweep.exe" --in-place --backup %*
set status=%errorlevel%
pause
exit /b %status%
